import { type ResolveFnOutput, registerHooks } from 'node:module'

const PACKAGE_SPECIFIER = /^(?![./#]|(?:file|node|data):)/
const resolvedPackages = new Map<string, ResolveFnOutput>()

/**
 * Where a package is, asked once for each folder that names it. Node reads the whole table of what a package offers each
 * time a module names it, and the database's has a thousand lines: two fifths of the work of a start. Loaded before
 * everything else (`--import`).
 */
registerHooks({
  resolve(specifier, context, next) {
    if (!PACKAGE_SPECIFIER.test(specifier)) return next(specifier, context)
    const folder = context.parentURL?.replace(/[^/]*$/, '') ?? ''
    const key = JSON.stringify([folder, specifier, context.conditions])
    const found = resolvedPackages.get(key) ?? next(specifier, context)
    resolvedPackages.set(key, found)
    return { ...found, shortCircuit: true }
  },
})
