# SPDX-License-Identifier: BSD-3-Clause
"""schema.py SCHEMA [FILE...]: fails at the first JSON document (of standard input, if no file is named) that is not valid
by the schema, or names links that do not exist, or a route that does not lead from its first host to its second."""

import json
import sys

import jsonschema


def check_routes(document):
    for route in document.get("routes", []):
        at = route["pair"][0]
        for index in route["links"]:
            link = document["links"][index]
            assert link["from"] == at, f"route {route}: link {index} starts at {link['from']}, not at {at}"
            at = link["to"]
        assert at == route["pair"][1], f"route {route} ends at {at}"


with open(sys.argv[1]) as file:
    schema = json.load(file)
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
for name in sys.argv[2:] or ["/dev/stdin"]:
    print(name)
    with open(name) as file:
        document = json.load(file)
    validator.validate(document)
    check_routes(document)
