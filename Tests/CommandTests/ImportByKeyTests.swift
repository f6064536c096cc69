import TestSupport
import Testing

/// Each process uses its own seed for hashing, so an error in the order of a `Set` or `Dictionary` only appears in many
/// runs.
struct ImportByKeyTests {
  @Test("each import by key is what the next command reads, 200 times")
  func aToOneChangesByKey() throws {
    let samples = try SampleFolder()
    try samples.folder.write(
      """
      <?xml version="1.0"?><model><entity name="Item">\
      <attribute name="id" optional="YES" attributeType="Integer 32"/>\
      <relationship name="list" optional="YES" maxCount="1" deletionRule="Nullify" \
      destinationEntity="List" inverseName="items" inverseEntity="List"/>\
      <uniquenessConstraints><uniquenessConstraint><constraint value="id"/>\
      </uniquenessConstraint></uniquenessConstraints></entity><entity name="List">\
      <attribute name="id" optional="YES" attributeType="Integer 32"/>\
      <relationship name="items" optional="YES" toMany="YES" deletionRule="Nullify" \
      destinationEntity="Item" inverseName="list" inverseEntity="Item"/>\
      <uniquenessConstraints><uniquenessConstraint><constraint value="id"/>\
      </uniquenessConstraint></uniquenessConstraints></entity></model>
      """, to: "M.xml")
    let found = try samples.expect(
      """
      storetool create s.sqlite --model M.xml
      for n in $(seq 200); do
        key=$((10 + n % 2))
        echo "[{\\"id\\":1,\\"list\\":{\\"id\\":$key}}]" > items.json
        storetool import items.json --entity Item --on-conflict update --store s.sqlite \
          --model M.xml 2> errors || cat errors
        rows=$(storetool fetch Item --select list.id --store s.sqlite --model M.xml)
        [ "$rows" = "{\\"list.id\\":$key}" ] || echo "$n: $key, $rows"
      done
      """)
    #expect(found == "")
  }
}
