// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/command_line/command_line.hpp"

#include <CLI/CLI.hpp>
#include <type_traits>

namespace coll_topo::command_line {

namespace {

CLI::Option* add(CLI::App& app, const Option& option) {
    return std::visit(
        [&](const auto& target) -> CLI::Option* {
            using Value = std::decay_t<decltype(target)>;
            if constexpr (std::is_same_v<Value, bool*>) {
                return app.add_flag(option.name, *target, option.help);
            } else if constexpr (std::is_pointer_v<Value>) {
                return app.add_option(option.name, *target, option.help);
            } else {
                return app.add_option_function<std::string>(option.name, target, option.help);
            }
        },
        option.target);
}

CLI::Validator validator(const Option& option) {
    const Limit& limit = option.details.limit;
    if (const auto* const one_of = std::get_if<OneOf>(&limit)) return CLI::IsMember(one_of->words);
    if (const auto* const between = std::get_if<Between>(&limit)) {
        if (!std::holds_alternative<int*>(option.target)) return CLI::Range(between->least, between->most);
        return CLI::Range(static_cast<int>(between->least), static_cast<int>(between->most));
    }
    if (std::get<Sign>(limit) == Sign::positive) return CLI::PositiveNumber;
    return CLI::NonNegativeNumber;
}

void declare(CLI::App& app, const std::vector<Option>& options) {
    for (const Option& option : options) {
        const Details& details = option.details;
        CLI::Option* const added = add(app, option);
        if (!option.placeholder.empty()) added->type_name(option.placeholder);
        if (details.count > 0) added->expected(details.count)->delimiter(',');
        if (details.limit.index() != 0) {
            CLI::Validator limit = validator(option);
            added->check(details.limit_in_help ? limit : limit.description(""));
        }
        if (details.default_in_help) added->capture_default_str();
        added->required(details.required);
    }
}

int index_of(const std::string& command, const Usage& usage) {
    int index = 0;
    while (usage.commands[index].name != command) ++index;
    return index;
}

}  // namespace

Expected<Parsed> read(const Usage& usage, int argc, const char* const* argv) {
    CLI::App app(usage.description, usage.name);
    app.set_version_flag("--version", usage.version);
    if (!usage.commands.empty()) {
        app.set_help_flag("-h,--help", "print this help");
        app.require_subcommand(1);
    }
    app.footer(usage.footer);
    declare(app, usage.options);
    for (const Subcommand& command : usage.commands) {
        declare(*app.add_subcommand(command.name, command.description), command.options);
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        return Parsed{app.help()};
    } catch (const CLI::CallForVersion& version) {
        return Parsed{std::string(version.what()) + "\n"};
    } catch (const CLI::ParseError& error) {
        return failure(error.what());
    }
    Parsed parsed;
    if (!usage.commands.empty()) parsed.command = index_of(app.get_subcommands().front()->get_name(), usage);
    return parsed;
}

}  // namespace coll_topo::command_line
