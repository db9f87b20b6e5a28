import type { Plugin } from 'vite'

/** The browser never writes a schema out as JSON Schema, nor speaks English: what zod carries for it is left behind. */
export const leanZod = (): Plugin => ({
  name: 'voisol-lean-zod',
  apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
  transform: {
    filter: { id: /\/zod\/v4\/classic\/schemas\.js$/ },
    handler: (code) => ({
      code: code
        .replace('core.config(en());', '{}')
        .replace(/inst\._zod\.processJSONSchema = .*;/g, '')
        .replace(/createStandardJSONSchemaMethod\(this, "(input|output)"\)/g, 'undefined')
        .replace('return createToJSONSchemaMethod(this, {})(params);', 'throw new Error("no JSON Schema here");'),
      map: null,
    }),
  },
})
