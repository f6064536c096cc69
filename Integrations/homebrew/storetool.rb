# `brew install --formula Integrations/homebrew/storetool.rb`; a tap has this file as Formula/storetool.rb. Put the owner of
# the repository in place of OWNER.
class Storetool < Formula
  desc "Works on Core Data stores and models, without Core Data"
  homepage "https://github.com/OWNER/storetool"
  url "https://github.com/OWNER/storetool.git", tag: "v0.1.0"
  license :cannot_represent
  head "https://github.com/OWNER/storetool.git", branch: "main"

  depends_on xcode: ["26.0", :build]
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
    # Homebrew's own sandbox is around it already.
    system "swift", "build", "--disable-sandbox", "--configuration", "release", "--product", "storetool"
    system "Scripts/install", "--prefix", prefix, "--binary", ".build/release/storetool"
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
    assert_match version.to_s, shell_output("#{bin}/storetool --version")
    assert_path_exists man1/"storetool-fetch.1"
    assert_path_exists share/"bash-completion/completions/storetool"
  end
end
