// Written by Scripts/list-page.
#include "PageAssets.h"

// The program contains the files of the page. #embed is part of C23, but clang also accepts it in older C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char address_js[] = {
#embed "page/address.js"
};
static const unsigned char api_js[] = {
#embed "page/api.js"
};
static const unsigned char dom_js[] = {
#embed "page/dom.js"
};
static const unsigned char icon_svg[] = {
#embed "page/icon.svg"
};
static const unsigned char index_html[] = {
#embed "page/index.html"
};
static const unsigned char main_js[] = {
#embed "page/main.js"
};
static const unsigned char parts_bars_js[] = {
#embed "page/parts/bars.js"
};
static const unsigned char parts_batch_edit_js[] = {
#embed "page/parts/batch-edit.js"
};
static const unsigned char parts_cell_js[] = {
#embed "page/parts/cell.js"
};
static const unsigned char parts_changes_js[] = {
#embed "page/parts/changes.js"
};
static const unsigned char parts_clipboard_js[] = {
#embed "page/parts/clipboard.js"
};
static const unsigned char parts_column_chooser_js[] = {
#embed "page/parts/column-chooser.js"
};
static const unsigned char parts_command_to_run_js[] = {
#embed "page/parts/command-to-run.js"
};
static const unsigned char parts_command_js[] = {
#embed "page/parts/command.js"
};
static const unsigned char parts_date_input_js[] = {
#embed "page/parts/date-input.js"
};
static const unsigned char parts_dry_run_js[] = {
#embed "page/parts/dry-run.js"
};
static const unsigned char parts_explain_js[] = {
#embed "page/parts/explain.js"
};
static const unsigned char parts_failure_js[] = {
#embed "page/parts/failure.js"
};
static const unsigned char parts_full_value_js[] = {
#embed "page/parts/full-value.js"
};
static const unsigned char parts_history_pages_js[] = {
#embed "page/parts/history-pages.js"
};
static const unsigned char parts_history_strip_js[] = {
#embed "page/parts/history-strip.js"
};
static const unsigned char parts_key_paths_js[] = {
#embed "page/parts/key-paths.js"
};
static const unsigned char parts_literal_js[] = {
#embed "page/parts/literal.js"
};
static const unsigned char parts_live_js[] = {
#embed "page/parts/live.js"
};
static const unsigned char parts_pan_zoom_js[] = {
#embed "page/parts/pan-zoom.js"
};
static const unsigned char parts_plain_value_js[] = {
#embed "page/parts/plain-value.js"
};
static const unsigned char parts_predicate_completion_js[] = {
#embed "page/parts/predicate-completion.js"
};
static const unsigned char parts_predicate_field_js[] = {
#embed "page/parts/predicate-field.js"
};
static const unsigned char parts_predicate_marks_js[] = {
#embed "page/parts/predicate-marks.js"
};
static const unsigned char parts_row_cache_js[] = {
#embed "page/parts/row-cache.js"
};
static const unsigned char parts_row_edit_js[] = {
#embed "page/parts/row-edit.js"
};
static const unsigned char parts_row_keys_js[] = {
#embed "page/parts/row-keys.js"
};
static const unsigned char parts_row_names_js[] = {
#embed "page/parts/row-names.js"
};
static const unsigned char parts_store_facts_js[] = {
#embed "page/parts/store-facts.js"
};
static const unsigned char parts_store_names_js[] = {
#embed "page/parts/store-names.js"
};
static const unsigned char parts_svg_reader_js[] = {
#embed "page/parts/svg-reader.js"
};
static const unsigned char parts_table_cursor_js[] = {
#embed "page/parts/table-cursor.js"
};
static const unsigned char parts_table_scroll_js[] = {
#embed "page/parts/table-scroll.js"
};
static const unsigned char parts_table_js[] = {
#embed "page/parts/table.js"
};
static const unsigned char parts_template_rows_js[] = {
#embed "page/parts/template-rows.js"
};
static const unsigned char parts_value_field_js[] = {
#embed "page/parts/value-field.js"
};
static const unsigned char parts_value_form_js[] = {
#embed "page/parts/value-form.js"
};
static const unsigned char parts_variable_field_js[] = {
#embed "page/parts/variable-field.js"
};
static const unsigned char parts_watched_list_js[] = {
#embed "page/parts/watched-list.js"
};
static const unsigned char parts_write_summaries_js[] = {
#embed "page/parts/write-summaries.js"
};
static const unsigned char style_css[] = {
#embed "page/style.css"
};
static const unsigned char texts_js[] = {
#embed "page/texts.js"
};
static const unsigned char views_diagram_js[] = {
#embed "page/views/diagram.js"
};
static const unsigned char views_entities_js[] = {
#embed "page/views/entities.js"
};
static const unsigned char views_groups_js[] = {
#embed "page/views/groups.js"
};
static const unsigned char views_history_js[] = {
#embed "page/views/history.js"
};
static const unsigned char views_insert_js[] = {
#embed "page/views/insert.js"
};
static const unsigned char views_migration_js[] = {
#embed "page/views/migration.js"
};
static const unsigned char views_row_js[] = {
#embed "page/views/row.js"
};
static const unsigned char views_rows_js[] = {
#embed "page/views/rows.js"
};
static const unsigned char views_sections_js[] = {
#embed "page/views/sections.js"
};
static const unsigned char views_templates_js[] = {
#embed "page/views/templates.js"
};
static const unsigned char views_verify_js[] = {
#embed "page/views/verify.js"
};

#define ASSET(name, bytes) {name, bytes, sizeof(bytes)}

static const struct page_asset table[] = {
    ASSET("address.js", address_js),
    ASSET("api.js", api_js),
    ASSET("dom.js", dom_js),
    ASSET("icon.svg", icon_svg),
    ASSET("index.html", index_html),
    ASSET("main.js", main_js),
    ASSET("parts/bars.js", parts_bars_js),
    ASSET("parts/batch-edit.js", parts_batch_edit_js),
    ASSET("parts/cell.js", parts_cell_js),
    ASSET("parts/changes.js", parts_changes_js),
    ASSET("parts/clipboard.js", parts_clipboard_js),
    ASSET("parts/column-chooser.js", parts_column_chooser_js),
    ASSET("parts/command-to-run.js", parts_command_to_run_js),
    ASSET("parts/command.js", parts_command_js),
    ASSET("parts/date-input.js", parts_date_input_js),
    ASSET("parts/dry-run.js", parts_dry_run_js),
    ASSET("parts/explain.js", parts_explain_js),
    ASSET("parts/failure.js", parts_failure_js),
    ASSET("parts/full-value.js", parts_full_value_js),
    ASSET("parts/history-pages.js", parts_history_pages_js),
    ASSET("parts/history-strip.js", parts_history_strip_js),
    ASSET("parts/key-paths.js", parts_key_paths_js),
    ASSET("parts/literal.js", parts_literal_js),
    ASSET("parts/live.js", parts_live_js),
    ASSET("parts/pan-zoom.js", parts_pan_zoom_js),
    ASSET("parts/plain-value.js", parts_plain_value_js),
    ASSET("parts/predicate-completion.js", parts_predicate_completion_js),
    ASSET("parts/predicate-field.js", parts_predicate_field_js),
    ASSET("parts/predicate-marks.js", parts_predicate_marks_js),
    ASSET("parts/row-cache.js", parts_row_cache_js),
    ASSET("parts/row-edit.js", parts_row_edit_js),
    ASSET("parts/row-keys.js", parts_row_keys_js),
    ASSET("parts/row-names.js", parts_row_names_js),
    ASSET("parts/store-facts.js", parts_store_facts_js),
    ASSET("parts/store-names.js", parts_store_names_js),
    ASSET("parts/svg-reader.js", parts_svg_reader_js),
    ASSET("parts/table-cursor.js", parts_table_cursor_js),
    ASSET("parts/table-scroll.js", parts_table_scroll_js),
    ASSET("parts/table.js", parts_table_js),
    ASSET("parts/template-rows.js", parts_template_rows_js),
    ASSET("parts/value-field.js", parts_value_field_js),
    ASSET("parts/value-form.js", parts_value_form_js),
    ASSET("parts/variable-field.js", parts_variable_field_js),
    ASSET("parts/watched-list.js", parts_watched_list_js),
    ASSET("parts/write-summaries.js", parts_write_summaries_js),
    ASSET("style.css", style_css),
    ASSET("texts.js", texts_js),
    ASSET("views/diagram.js", views_diagram_js),
    ASSET("views/entities.js", views_entities_js),
    ASSET("views/groups.js", views_groups_js),
    ASSET("views/history.js", views_history_js),
    ASSET("views/insert.js", views_insert_js),
    ASSET("views/migration.js", views_migration_js),
    ASSET("views/row.js", views_row_js),
    ASSET("views/rows.js", views_rows_js),
    ASSET("views/sections.js", views_sections_js),
    ASSET("views/templates.js", views_templates_js),
    ASSET("views/verify.js", views_verify_js),
};

const struct page_asset *const page_assets = table;
const size_t page_asset_count = sizeof(table) / sizeof(table[0]);
