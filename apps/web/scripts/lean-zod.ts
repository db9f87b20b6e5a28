import type { Plugin } from 'vite'

/**
 * The browser never writes a schema out as JSON Schema, nor speaks English: what zod carries for it is left behind. Nor does
 * it compile its schemas: the policy of our pages refuses that, and reports even the question whether it may be done.
 */
export const leanZod = (): Plugin => ({
  name: 'voisol-lean-zod',
  apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
  transform: {
    filter: { id: /\/zod\/v4\/(?:classic\/schemas|core\/util)\.js$/ },
    handler: (code) => ({
      code: code
        .replace(/const F = Function;\s*new F\(""\);\s*return true;/, 'return false;')
        .replace('core.config(en());', '{}')
        .replace(/inst\._zod\.processJSONSchema = .*;/g, '')
        .replace(/createStandardJSONSchemaMethod\(this, "(input|output)"\)/g, 'undefined')
        .replace('return createToJSONSchemaMethod(this, {})(params);', 'throw new Error("no JSON Schema here");'),
      map: null,
    }),
  },
})
