// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/engine/operand_form.hpp"

#include "coll_topo/engine/engine.h"

#include <algorithm>
#include <complex>
#include <iterator>

namespace coll_topo {
namespace {

template <typename Value, typename Location>
struct Pair {
    Value value;
    Location location;
};

constexpr auto none = std::nullopt;
using enum FloatingType;

constexpr OperandForm forms[] = {
    {COLL_TOPO_FLOAT, single_precision, 1, ExtremeElement::single_precision, sizeof(float)},
    {COLL_TOPO_DOUBLE, double_precision, 1, ExtremeElement::double_precision, sizeof(double)},
    {COLL_TOPO_LONG_DOUBLE, extended_precision, 1, ExtremeElement::extended_precision, sizeof(long double)},
    {COLL_TOPO_FLOAT_COMPLEX, single_precision, 2, none, sizeof(std::complex<float>)},
    {COLL_TOPO_DOUBLE_COMPLEX, double_precision, 2, none, sizeof(std::complex<double>)},
    {COLL_TOPO_LONG_DOUBLE_COMPLEX, extended_precision, 2, none, sizeof(std::complex<long double>)},
    {COLL_TOPO_FLOAT_INT, none, 0, ExtremeElement::float_int, sizeof(Pair<float, int>)},
    {COLL_TOPO_DOUBLE_INT, none, 0, ExtremeElement::double_int, sizeof(Pair<double, int>)},
    {COLL_TOPO_LONG_DOUBLE_INT, none, 0, ExtremeElement::long_double_int, sizeof(Pair<long double, int>)},
    {COLL_TOPO_FLOAT_FLOAT, none, 0, ExtremeElement::two_real, sizeof(Pair<float, float>)},
    {COLL_TOPO_DOUBLE_DOUBLE, none, 0, ExtremeElement::two_double_precision, sizeof(Pair<double, double>)},
};

std::optional<ExtremeOperation> extreme_operation(int operation) {
    switch (operation) {
        case COLL_TOPO_MAXIMUM:
            return ExtremeOperation::maximum;
        case COLL_TOPO_MINIMUM:
            return ExtremeOperation::minimum;
        case COLL_TOPO_MAXIMUM_LOCATION:
            return ExtremeOperation::maximum_location;
        case COLL_TOPO_MINIMUM_LOCATION:
            return ExtremeOperation::minimum_location;
        default:
            return none;
    }
}

}  // namespace

const OperandForm* operand_form(int operand) {
    const auto found = std::ranges::find(forms, operand, &OperandForm::operand);
    return found == std::end(forms) ? nullptr : &*found;
}

CombineExtremes ordered_extreme(int operation, int operand) {
    const auto extreme = extreme_operation(operation);
    const OperandForm* form = operand_form(operand);
    if (!extreme || form == nullptr || !form->extreme) return nullptr;
    return combine_extremes(*extreme, *form->extreme);
}

}  // namespace coll_topo

int coll_topo_reduction_method(int reproducible, int operation, int operand) {
    using namespace coll_topo;
    const bool any_order = operand == COLL_TOPO_INTEGER && operation != COLL_TOPO_USER_OPERATION;
    if (reproducible == COLL_TOPO_ANY_ORDER || any_order) return COLL_TOPO_AS_THEY_ARE;
    if (reproducible == COLL_TOPO_FIXED_ORDER) return COLL_TOPO_BY_COORDINATES;
    const OperandForm* form = operand_form(operand);
    const bool exact_sum = operation == COLL_TOPO_SUM && form != nullptr && form->sum.has_value();
    return exact_sum || ordered_extreme(operation, operand) != nullptr ? COLL_TOPO_ENCODED : COLL_TOPO_BY_COORDINATES;
}
