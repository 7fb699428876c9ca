// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/name_register.hpp"

#include "coll_topo/input/hostlist.hpp"
#include "coll_topo/input/wording.hpp"

#include <algorithm>

namespace coll_topo {

Expected<int> NameRegister::add(std::string_view name, const Located& origin) {
    if (names_.size() >= most_names) {
        return origin.error(kind_ + ' ' + in_quotes(name) + " is one too many; the limit is " +
                            std::to_string(most_names));
    }
    const int index = names_.add(name);
    if (index == NameTable::missing) {
        return origin.error(kind_ + ' ' + in_quotes(name) + " is given twice; first at " +
                            this->origin(names_.find(name)).where().text());
    }
    if (origins_.empty() || origins_.back().text.text.data() != origin.text.data()) {
        origins_.push_back({index, origin});
    }
    return index;
}

const Located& NameRegister::origin(int index) const {
    const auto after = std::upper_bound(origins_.begin(), origins_.end(), index,
                                        [](int value, const Origin& origin) { return value < origin.first; });
    return (after - 1)->text;
}

}  // namespace coll_topo
