# SPDX-License-Identifier: BSD-3-Clause
"""Reads JSON from standard input; fails if it is not valid by the schema file named, or names links that do not exist,
or a route that does not lead from its first host to its second."""

import json
import sys

import jsonschema

with open(sys.argv[1]) as file:
    schema = json.load(file)
jsonschema.Draft7Validator.check_schema(schema)
document = json.load(sys.stdin)
jsonschema.Draft7Validator(schema).validate(document)

for route in document.get("routes", []):
    at = route["pair"][0]
    for index in route["links"]:
        link = document["links"][index]
        assert link["from"] == at, f"route {route}: link {index} starts at {link['from']}, not at {at}"
        at = link["to"]
    assert at == route["pair"][1], f"route {route} ends at {at}"
