// What the pages' JavaScript is held to, beside its types. Run from the top of the tree.

import js from "@eslint/js";
import globals from "globals";

export default [
  // Others' work, served as it was published.
  { ignores: ["controller/pit/static/vendor/**"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "array-callback-return": "error",
      "consistent-return": "error",
      "default-case-last": "error",
      "eqeqeq": "error",
      "no-await-in-loop": "error",
      "no-console": "error",
      "no-constructor-return": "error",
      "no-eval": "error",
      "no-implicit-coercion": ["error", { boolean: true, string: true }],
      "no-implied-eval": "error",
      "no-promise-executor-return": "error",
      "no-return-assign": ["error", "except-parens"],
      "no-self-compare": "error",
      "no-shadow": "error",
      "no-template-curly-in-string": "error",
      "no-unmodified-loop-condition": "error",
      "no-unused-private-class-members": "error",
      "no-use-before-define": ["error", { functions: false, variables: false }],
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "off",
      // Data becomes text nodes, never markup.
      "no-restricted-properties": [
        "error",
        { property: "innerHTML", message: "Data never becomes markup: use el() and text nodes." },
        { property: "outerHTML", message: "Data never becomes markup: use el() and text nodes." },
        { property: "insertAdjacentHTML", message: "Data never becomes markup: use el()." },
      ],
    },
  },
];
