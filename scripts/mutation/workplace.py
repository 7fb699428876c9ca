# SPDX-License-Identifier: BSD-3-Clause
"""Copies of the source tree and its build, with the build below the sources."""
import os
import shutil

# Of the top directory and of build/: what no check needs, or what is made anew.
LEFT_OUT = {".git", "build-fuzz", "sanitize", "bench", "comparison", "autom4te.cache"}


class Workplace:
    def __init__(self, directory):
        self.directory = directory

    def copy_from(self, top):
        """With the times of the files, so that make finds nothing to do."""
        def left_out(directory, names):
            return LEFT_OUT.intersection(names) if directory in (str(top), str(top / "build")) else set()
        shutil.copytree(top, self.directory, symlinks=True, ignore=left_out)

    def make_like(self, whole):
        """Copies what differs from another workplace in size or time, and removes what is not there."""
        here = self._files()
        there = whole._files()
        for path in here.keys() - there.keys():
            os.remove(self.directory / path)
        for path, seen in there.items():
            if here.get(path) == seen:
                continue
            target = self.directory / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True)
            shutil.copy2(whole.directory / path, target, follow_symlinks=False)

    def _files(self):
        """Size and time of each file by its path."""
        found = {}
        for directory, _, names in os.walk(self.directory):
            for name in names:
                path = os.path.join(directory, name)
                state = os.lstat(path)
                found[os.path.relpath(path, self.directory)] = (state.st_size, state.st_mtime_ns)
        return found

    def break_by(self, mutation):
        file = self.directory / mutation.path
        file.write_text(file.read_text().replace(mutation.text, mutation.becomes))
