# SPDX-License-Identifier: BSD-3-Clause
"""The mutations, read from test/mutation/*.toml:

    [[file]]
    path = "coll_topo/execute/lanes.cpp"
    checks = ["unit execute"]               # before those of its folder, if it needs others
    [[file.mutation]]
    breaks = "the last lane never runs"
    text = 'lane < lanes'                   # found in the file once
    becomes = 'lane + 1 < lanes'
    checks = ["algorithm swing"]            # before those of the file
    reason = "why no check can notice it"   # only where that is so
"""
import tomllib
from dataclasses import dataclass
from pathlib import Path

from . import Failure

CHECKS_FILE = "checks.toml"


@dataclass(frozen=True)
class Mutation:
    name: str     # "execute/lanes.cpp: the last lane never runs"
    path: str     # of the file, from the root of the source
    text: str
    becomes: str
    checks: tuple
    reason: str


class Catalogue:
    """All mutations; raises Failure unless every text is in its file exactly once, and its folder has checks."""

    def __init__(self, top):
        self.mutations = []
        self._by_name = {}
        self._folders = tomllib.loads((top / "test" / "mutation" / CHECKS_FILE).read_text())["of"].keys()
        problems = []
        for source in sorted((top / "test" / "mutation").glob("*.toml")):
            if source.name == CHECKS_FILE:
                continue
            for file in tomllib.loads(source.read_text())["file"]:
                whole = (top / file["path"]).read_text()
                for row in file["mutation"]:
                    problems += self._add(file, row, whole, source.name)
        if problems:
            raise Failure("\n".join(problems))

    def _add(self, file, row, whole, source):
        name = f"{file['path'].removeprefix('coll_topo/')}: {row['breaks']}"
        mutation = Mutation(name, file["path"], row["text"], row["becomes"],
                            tuple(row.get("checks", ())) + tuple(file.get("checks", ())), row.get("reason", ""))
        times = whole.count(mutation.text)
        problems = []
        if times != 1:
            problems.append(f"{source}: {name}: its text is in the file {times} times, not once: {mutation.text}")
        if not any(str(folder) in self._folders for folder in Path(mutation.path).parents):
            problems.append(f"{source}: {name}: {CHECKS_FILE} has no checks for its folder")
        if name in self._by_name:
            problems.append(f"{source}: {name}: there are two of that name")
        self._by_name[name] = mutation
        self.mutations.append(mutation)
        return problems

    def named(self, name):
        return self._by_name[name]
