// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/command_line/command_line.hpp"

#include "coll_topo/base/text.hpp"
#include "coll_topo/base/text_table.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <sstream>
#include <string_view>
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

/// Why a word is not a value of an option that has a limit; empty: it is. The limits of numbers were looked at before.
std::string why_not(const Option& option, const std::string& word) {
    const Limit& limit = option.details.limit;
    if (const auto* const one_of = std::get_if<OneOf>(&limit)) {
        if (std::ranges::find(one_of->words, word) != one_of->words.end()) return "";
        return "must be " + alternatives(std::vector<std::string_view>(one_of->words.begin(), one_of->words.end())) +
               ", not " + word;
    }
    double value = 0;
    if (!CLI::detail::lexical_cast(word, value)) return "must be a number, not " + word;
    if (const auto* const between = std::get_if<Between>(&limit)) {
        if (between->least <= value && value <= between->most) return "";
        const auto text = [](double bound) { return std::to_string(static_cast<long long>(bound)); };
        return "must be from " + text(between->least) + " to " + text(between->most) + ", not " + word;
    }
    if (std::get<Sign>(limit) == Sign::positive) return value > 0 ? "" : "must be more than 0, not " + word;
    return value >= 0 ? "" : "must be 0 or more, not " + word;
}

void declare(CLI::App& app, const std::vector<Option>& options) {
    for (const Option& option : options) {
        const Details& details = option.details;
        CLI::Option* const added = add(app, option);
        const bool positional = !option.name.starts_with('-');
        if (!option.placeholder.empty() || positional) added->type_name(option.placeholder);
        if (details.count > 0) added->expected(details.count)->delimiter(',');
        if (details.limit.index() != 0)
            added->check([&option](const std::string& word) { return why_not(option, word); });
        if (details.default_in_help) added->capture_default_str();
        added->required(details.required);
    }
}

/// Help in lines of at most line_width.
class Help : public CLI::Formatter {
public:
    std::string make_description(const CLI::App* app) const override { return wrapped(app->get_description(), 0); }
    std::string make_option_desc(const CLI::Option* option) const override {
        return in_column(option->get_description(), get_column_width());
    }
    std::string make_subcommand(const CLI::App* command) const override {
        constexpr std::size_t width = 13;
        std::ostringstream out;
        CLI::detail::format_help(out, command->get_name(), in_column(command->get_description(), width), width);
        return out.str();
    }

private:
    static std::string in_column(const std::string& text, std::size_t indent) {
        std::string all;
        for (const std::string& line : lines_of_words(text, line_width - indent)) {
            all += (all.empty() ? "" : "\n") + line;
        }
        return all;
    }
};

std::string footer_of(const Subcommand& command) {
    if (command.examples.empty()) return "";
    std::string text = command.examples.size() > 1 ? "Examples:" : "Example:";
    for (const std::string& example : command.examples) text += "\n  " + example;
    return text;
}

std::string footer_of(const Usage& usage) {
    std::string text;
    for (const Subcommand& command : usage.commands) {
        if (!command.examples.empty()) text += (text.empty() ? "Examples:" : "") + ("\n  " + command.examples.front());
    }
    return text.empty() ? usage.footer : text + "\n\n" + usage.footer;
}

int index_of(const std::string& command, const Usage& usage) {
    int index = 0;
    while (usage.commands[index].name != command) ++index;
    return index;
}

}  // namespace

Expected<Parsed> read(const Usage& usage, int argc, const char* const* argv) {
    CLI::App app(usage.description, usage.name);
    app.formatter(std::make_shared<Help>());
    app.set_version_flag("--version", usage.version, "print the version");
    app.set_help_flag("-h,--help", "print this help");
    if (!usage.commands.empty()) app.require_subcommand(1);
    app.footer(footer_of(usage));
    declare(app, usage.options);
    for (const Subcommand& command : usage.commands) {
        CLI::App* const added = app.add_subcommand(command.name, command.description);
        added->footer(footer_of(command));
        declare(*added, command.options);
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
