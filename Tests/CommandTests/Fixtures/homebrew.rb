# Enough of Homebrew to run a formula without it, in the working directory and with the folders below ./prefix:
#   ruby homebrew.rb FORMULA stanzas        prints the stanzas in their order, each as a JSON array
#   ruby homebrew.rb FORMULA install|test
# The Ruby of macOS is version 2.6.
require "fileutils"
require "json"
require "pathname"

class Pathname
  # Homebrew creates the folders around a file, and never replaces one.
  def write(text)
    raise "#{self} exists" if exist?

    dirname.mkpath
    File.write(to_s, text)
  end

  def install(*files)
    mkpath
    files.flatten.each do |file|
      raise "there is no #{file}" unless File.file?(file)

      FileUtils.cp(file, to_s, preserve: true)
    end
  end
end

class Formula
  STANZAS = []

  class << self
    %w[desc homepage url license head depends_on uses_from_macos].each do |name|
      define_method(name) { |*words| STANZAS << [name, *words] }
    end

    def on_linux
      STANZAS << ["on_linux"]
      yield
    end

    def test(&block)
      define_method(:run_test, &block)
    end
  end

  def prefix
    Pathname.pwd/"prefix"
  end

  def bin
    prefix/"bin"
  end

  def man1
    prefix/"share/man/man1"
  end

  def bash_completion
    prefix/"etc/bash_completion.d"
  end

  def testpath
    Pathname.pwd
  end

  def version
    STANZAS.assoc("url").last[:tag].delete_prefix("v")
  end

  def build
    Struct.new(:head?).new(false)
  end

  def system(command, *words)
    line = [command, *words].map(&:to_s)
    raise "#{line.join(" ")} failed" unless Kernel.system(*line)
  end

  def shell_output(line)
    output = `#{line}`
    raise "#{line} failed" unless $?.success?

    output
  end

  def generate_completions_from_executable(*command)
    words = command.map(&:to_s) + ["bash"]
    text = IO.popen({ "SHELL" => "bash" }, words, &:read)
    raise "#{words.join(" ")} failed" unless $?.success?

    (bash_completion/File.basename(words.first)).write(text)
  end

  def assert_equal(expected, found)
    raise "expected #{expected.inspect}, found #{found.inspect}" if expected != found
  end

  def assert_path_exists(path)
    raise "there is no #{path}" unless path.exist?
  end
end

load ARGV[0]
formula = Storetool.new
case ARGV[1]
when "stanzas" then Formula::STANZAS.each { |stanza| puts JSON.generate(stanza) }
when "install" then formula.install
when "test" then formula.run_test
end
