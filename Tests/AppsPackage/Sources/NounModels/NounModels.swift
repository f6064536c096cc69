// The types of the model, which the plugin generates.
