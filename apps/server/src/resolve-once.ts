import { type ResolveFnOutput, registerHooks } from 'node:module'

const PACKAGE_SPECIFIER = /^(?![./#]|(?:file|node|data):)/
const resolvedPackages = new Map<string, ResolveFnOutput>()

/**
 * Caches package resolution per importing folder. Node parses the export map of a package at each import, and that of
 * the database package has a thousand lines: two fifths of the work of a start. Loaded before everything else
 * (`--import`).
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
