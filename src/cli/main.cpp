#include "base/invariant.h"
#include "cli/options.h"
#include "frontend/load.h"

#include <fmt/format.h>

#include <exception>
#include <filesystem>

namespace {

int main_command(int argc, char** argv, weir::cli::Console& console) {
  using namespace weir;
  CLI::App app{"Weir tells whether a concurrent program breaks on x86 (TSO), and how.", "weir"};
  app.set_version_flag("--version", "weir " WEIR_VERSION);
  app.require_subcommand(1);
  app.footer("Exit status: 0 the property holds as asked, 1 it is violated, 2 the input or the "
             "command line is wrong, 3 undecided, 4 an error inside weir.");
  cli::CheckFlags check_flags;
  cli::RunFlags run_flags;
  auto* check = app.add_subcommand("check", "decide a program: safe, or a run that breaks it");
  cli::add_flags(*check, check_flags);
  auto* run = app.add_subcommand("run", "step through a program, simulate it, or replay a run");
  cli::add_flags(*run, run_flags);
  cli::CertifyFlags certify_flags;
  auto* certify = app.add_subcommand("certify", "check a proof of safety independently");
  cli::add_flags(*certify, certify_flags);
  cli::FenceFlags fence_flags;
  auto* fence =
      app.add_subcommand("fence", "where fences go: every minimal set, the repaired source");
  cli::add_flags(*fence, fence_flags);
  cli::LitmusFlags litmus_flags;
  auto* litmus =
      app.add_subcommand("litmus", "every outcome of litmus tests, as herd7 prints them");
  cli::add_flags(*litmus, litmus_flags);
  cli::TranslateFlags translate_flags;
  auto* translate =
      app.add_subcommand("translate", "an SC program with the TSO runs of this one, for checkers");
  cli::add_flags(*translate, translate_flags);
  cli::HuntFlags hunt_flags;
  auto* hunt = app.add_subcommand("hunt", "look for a bug with CBMC and ESBMC, bounds growing");
  cli::add_flags(*hunt, hunt_flags);
  cli::CrosscheckFlags crosscheck_flags;
  auto* crosscheck = app.add_subcommand(
      "crosscheck", "the translation against bounded TSO and the checkers: both theorems");
  cli::add_flags(*crosscheck, crosscheck_flags);
  for (CLI::App* command : {check, run, certify, fence, translate, hunt, crosscheck})
    for (const char* flag : {"-D", "-I"})
      command
          ->add_option_function<std::vector<std::string>>(
              flag,
              [flag](const std::vector<std::string>& words) {
                for (const std::string& word : words) frontend::add_preprocessor_word(flag + word);
              },
              *(flag + 1) == 'D' ? "C: define a macro, NAME or NAME=TEXT"
                                 : "C: look for headers here")
          ->allow_extra_args(false);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : static_cast<int>(ExitCode::BadInput);
  }
  const auto answer = *check        ? cli::check(check_flags, console)
                      : *certify    ? cli::certify(certify_flags, console)
                      : *fence      ? cli::fence(fence_flags, console)
                      : *litmus     ? cli::litmus(litmus_flags, console)
                      : *hunt       ? cli::hunt(hunt_flags, console)
                      : *crosscheck ? cli::crosscheck(crosscheck_flags, console)
                      : *translate  ? cli::translate(translate_flags, console)
                                    : cli::run(run_flags, console);
  return static_cast<int>(answer);
}

} // namespace

int main(int argc, char** argv) {
  weir::cli::catch_signals();
  weir::cli::Console console;
  try {
    return main_command(argc, argv, console);
  } catch (const std::bad_alloc&) {
    console.complain("weir: error: the machine has no more memory\n");
    return static_cast<int>(weir::ExitCode::Undecided);
  } catch (const std::filesystem::filesystem_error& e) {
    console.complain(fmt::format("weir: error: {}: {}\n", e.path1().string(), e.code().message()));
    return static_cast<int>(weir::ExitCode::BadInput);
  } catch (const std::exception& e) {
    console.complain(fmt::format("weir: internal error: {}\n", e.what()));
    return static_cast<int>(weir::ExitCode::Internal);
  } catch (const char* what) { // ANTLR's runtime does so
    console.complain(fmt::format("weir: internal error: {}\n", what));
    return static_cast<int>(weir::ExitCode::Internal);
  }
}
