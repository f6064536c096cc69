class Storetool < Formula
  desc "Work with Core Data stores and models without Core Data"
  homepage "https://github.com/OWNER/storetool"
  url "https://github.com/OWNER/storetool.git",
      tag:      "v0.1.0",
      revision: "REVISION"
  license :cannot_represent
  head "https://github.com/OWNER/storetool.git", branch: "main"

  depends_on xcode: ["26.0", :build]
  depends_on macos: :sequoia

  uses_from_macos "python" => :build
  uses_from_macos "swift" => :build
  uses_from_macos "libxml2"
  uses_from_macos "sqlite"
  uses_from_macos "zlib"

  on_linux do
    depends_on "pkgconf" => :build
    depends_on "libmd"
  end

  def install
    # Homebrew already runs the build in its own sandbox.
    system "swift", "build", "--disable-sandbox", "--configuration", "release", "--product", "storetool"
    bin.install ".build/release/storetool"
    generate_completions_from_executable(bin/"storetool", "--generate-completion-script")
    system "Scripts/man-pages", "--binary", bin/"storetool", "--output", "man"
    man1.install Dir["man/*.1"]
  end

  test do
    (testpath/"Shelf.xcdatamodel/contents").write <<~XML
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Book" representedClassName="Book">
          <attribute name="title" attributeType="String"/>
          <attribute name="pages" optional="YES" attributeType="Integer 32"/>
        </entity>
      </model>
    XML
    system bin/"storetool", "create", "--model", "Shelf.xcdatamodel"
    system bin/"storetool", "insert", "Book", "title=Walden", "pages=352", "--model", "Shelf.xcdatamodel"
    rows = shell_output("#{bin}/storetool fetch Book --where 'pages > 300' --model Shelf.xcdatamodel")
    assert_equal "{\"pages\":352,\"title\":\"Walden\"}\n", rows
    # For a build of the main branch, Homebrew's version is the commit.
    assert_equal version.to_s, shell_output("#{bin}/storetool --version").chomp unless build.head?
    assert_path_exists man1/"storetool-fetch.1"
    assert_path_exists bash_completion/"storetool"
  end
end
