// Preact, and tags as templates: https://github.com/developit/htm
export * from "../vendor/htm-preact-3.1.1.js";
