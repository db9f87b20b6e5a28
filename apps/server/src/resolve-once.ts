import { type ResolveFnOutput, registerHooks } from 'node:module'

const PACKAGE = /^(?![./#]|(?:file|node|data):)/
const known = new Map<string, ResolveFnOutput>()

/**
 * Where a package is, asked once for each folder that names it. Node reads the whole table of what a package offers each
 * time a module names it, and the database's has a thousand lines: two fifths of the work of a start. Loaded before
 * everything else (`--import`).
 */
registerHooks({
  resolve(specifier, context, next) {
    if (!PACKAGE.test(specifier)) return next(specifier, context)
    const folder = context.parentURL?.replace(/[^/]*$/, '') ?? ''
    const key = JSON.stringify([folder, specifier, context.conditions])
    const found = known.get(key) ?? next(specifier, context)
    known.set(key, found)
    return { ...found, shortCircuit: true }
  },
})
