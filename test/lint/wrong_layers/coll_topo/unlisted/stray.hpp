// SPDX-License-Identifier: BSD-3-Clause
// Wrong on purpose: test/lint/layers must find that this folder is not listed.
