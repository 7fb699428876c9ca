// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/mpi_run/variables.hpp"

#include <algorithm>

namespace coll_topo::bench {

namespace {

constexpr int longest_text = 4096;
constexpr const char* topo_priority = "coll_topo_priority";

/// One parameter, open for reading and writing.
class Parameter {
public:
    explicit Parameter(const std::string& name) {
        int index = 0, elements = 0;
        if (MPI_T_cvar_get_index(name.c_str(), &index) != MPI_SUCCESS) return;
        int name_size = 0, description_size = 0, verbosity = 0, bind = 0, scope = 0;
        MPI_T_cvar_get_info(index, nullptr, &name_size, &verbosity, &type_, &enumeration_, nullptr, &description_size,
                            &bind, &scope);
        found_ = MPI_T_cvar_handle_alloc(index, nullptr, &handle_, &elements) == MPI_SUCCESS;
        fits_ = type_ == MPI_CHAR ? elements <= longest_text : elements == 1;
    }
    ~Parameter() {
        if (found_) MPI_T_cvar_handle_free(&handle_);
    }
    Parameter(const Parameter&) = delete;
    Parameter& operator=(const Parameter&) = delete;

    bool found() const { return found_; }

    std::optional<int> number() const {
        if (!found_ || !fits_ || (type_ != MPI_INT && type_ != MPI_C_BOOL)) return std::nullopt;
        int value = 0;
        bool on = false;
        void* const place = type_ == MPI_INT ? static_cast<void*>(&value) : &on;
        if (MPI_T_cvar_read(handle_, place) != MPI_SUCCESS) return std::nullopt;
        return type_ == MPI_INT ? value : on;
    }

    std::optional<std::string> text() const {
        std::vector<char> value(longest_text + 1);
        if (!found_ || !fits_ || type_ != MPI_CHAR) return std::nullopt;
        if (MPI_T_cvar_read(handle_, value.data()) != MPI_SUCCESS || value[0] == 0) return std::nullopt;
        return std::string(value.data());
    }

    bool set_number(int value) { return found_ && MPI_T_cvar_write(handle_, &value) == MPI_SUCCESS; }

    struct Value {
        std::string name;
        int value;
    };
    std::vector<Value> values() const {
        std::vector<Value> values;
        int count = 0, size = 0;
        if (!found_ || enumeration_ == MPI_T_ENUM_NULL) return values;
        if (MPI_T_enum_get_info(enumeration_, &count, nullptr, &size) != MPI_SUCCESS) return values;
        for (int index = 0; index < count; ++index) {
            char name[256];
            int value = 0, length = sizeof name;
            if (MPI_T_enum_get_item(enumeration_, index, &value, name, &length) == MPI_SUCCESS) {
                values.push_back({name, value});
            }
        }
        return values;
    }

private:
    MPI_T_cvar_handle handle_{};
    MPI_T_enum enumeration_ = MPI_T_ENUM_NULL;
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    bool found_ = false;
    bool fits_ = false;
};

std::string algorithm_parameter(const std::string& component, std::string_view collective) {
    return "coll_" + component + "_" + std::string(collective) + "_algorithm";
}

/// What stands for the component's own choice: "auto" of topo, "ignore" of tuned.
bool leaves_the_choice(std::string_view algorithm) {
    return algorithm == "auto" || algorithm == "ignore";
}

}  // namespace

Variables::Variables() {
    int provided = 0;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_pvar_session_create(&session_);
    topo_priority_ = number(topo_priority).value_or(0);
}

Variables::~Variables() {
    for (Counter& counter : counters_) {
        if (counter.handle != MPI_T_PVAR_HANDLE_NULL) MPI_T_pvar_handle_free(session_, &counter.handle);
    }
    MPI_T_pvar_session_free(&session_);
    MPI_T_finalize();
}

bool Variables::has_component(const std::string& component) const {
    return Parameter("coll_" + component + "_priority").found();
}

std::vector<std::string> Variables::algorithms(const std::string& component, std::string_view collective) const {
    std::vector<std::string> names;
    for (const auto& [name, value] : Parameter(algorithm_parameter(component, collective)).values()) {
        if (!leaves_the_choice(name)) names.push_back(name);
    }
    return names;
}

Expected<int> Variables::force_algorithm(const std::string& component, std::string_view collective,
                                         std::string_view algorithm) const {
    const std::string name = algorithm_parameter(component, collective);
    Parameter parameter(name);
    const auto before = parameter.number();
    const auto values = parameter.values();
    const auto wanted = std::find_if(values.begin(), values.end(),
                                     [&](const Parameter::Value& value) { return value.name == algorithm; });
    if (!before || wanted == values.end() || !parameter.set_number(wanted->value) ||
        parameter.number() != wanted->value) {
        return failure("the parameter " + name + " cannot be set to '" + std::string(algorithm) + "'");
    }
    return *before;
}

void Variables::restore_algorithm(const std::string& component, std::string_view collective, int value) const {
    Parameter(algorithm_parameter(component, collective)).set_number(value);
}

void Variables::offer_topo(bool offered) const {
    Parameter(topo_priority).set_number(offered ? topo_priority_ : -1);
}

std::optional<std::string> Variables::text(const std::string& parameter) const {
    return Parameter(parameter).text();
}

std::optional<int> Variables::number(const std::string& parameter) const {
    return Parameter(parameter).number();
}

std::vector<std::pair<std::string, std::string>> Variables::starting_with(std::string_view begin) const {
    std::vector<std::pair<std::string, std::string>> found;
    int count = 0;
    MPI_T_cvar_get_num(&count);
    for (int index = 0; index < count; ++index) {
        char name[256];
        int length = sizeof name, verbosity = 0, description = 0, bind = 0, scope = 0;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_T_enum enumeration = MPI_T_ENUM_NULL;
        if (MPI_T_cvar_get_info(index, name, &length, &verbosity, &type, &enumeration, nullptr, &description, &bind,
                                &scope) != MPI_SUCCESS ||
            !std::string_view(name).starts_with(begin)) {
            continue;
        }
        const Parameter parameter(name);
        const auto whole = parameter.number();
        found.emplace_back(name, whole ? std::to_string(*whole) : parameter.text().value_or(""));
    }
    return found;
}

const Variables::Counter* Variables::counter(std::string_view collective) {
    for (const Counter& known : counters_) {
        if (known.collective == collective) return &known;
    }
    Counter counter{std::string(collective), MPI_T_PVAR_HANDLE_NULL};
    const std::string name = "coll_topo_" + counter.collective + "_runs";
    int index = 0, elements = 0;
    if (MPI_T_pvar_get_index(name.c_str(), MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS) {
        MPI_T_pvar_handle_alloc(session_, index, nullptr, &counter.handle, &elements);
    }
    counters_.push_back(counter);
    return &counters_.back();
}

std::optional<unsigned long long> Variables::runs(std::string_view collective) {
    unsigned long long value = 0;
    const MPI_T_pvar_handle handle = counter(collective)->handle;
    if (handle == MPI_T_PVAR_HANDLE_NULL) return std::nullopt;
    return MPI_T_pvar_read(session_, handle, &value) == MPI_SUCCESS ? std::optional(value) : std::nullopt;
}

}  // namespace coll_topo::bench
