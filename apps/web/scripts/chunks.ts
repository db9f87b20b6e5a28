import { join } from 'node:path'
import type { Rolldown } from 'vite'

type Context = Pick<Rolldown.PluginContext, 'getModuleInfo'>
type Reach = Record<'entry' | 'site' | 'everyPage' | 'signedIn' | 'shells' | 'first', Set<string>>

const SRC = join(import.meta.dirname, '../src')
const at = (path: string) => join(SRC, path)

/** The portal knows its own rows alone, and nothing of the other shell. */
const OFFICE_SHELL = at('app/shells/admin.tsx')
const OFFICE_ROWS = /\/src\/screens\/(table|operations|data|money|management|administration)\.ts$/

/** What most screens say of an operation and its people: in one file it weighs less than in as many as there are nouns. */
const PEOPLE = /\/contract\/src\/(participants|participant-kinds|points|bulk|consents|erasure|supplier-bills)\.ts$/

/** All that comes with these modules before they run. */
function reach(context: Context, roots: string[]): Set<string> {
  const found = new Set<string>()
  const waiting = [...roots]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue
    found.add(id)
    waiting.push(...(context.getModuleInfo(id)?.importedIds ?? []))
  }
  return found
}

function measure(context: Context): Reach {
  const entry = reach(context, [at('entry.client.tsx')])
  const tables = [...entry].filter((id) => id.startsWith(at('site/')))
  const pages = tables.flatMap((id) => context.getModuleInfo(id)?.dynamicallyImportedIds ?? [])
  return {
    entry,
    site: reach(context, [at('app/shells/site.tsx'), at('site/home/home.tsx')]),
    everyPage: reach(context, [at('app/shells/site.tsx'), ...pages]),
    signedIn: reach(context, [at('product.tsx'), at('app/shells/signed-in.tsx')]),
    shells: reach(context, [at('app/shells/admin.tsx')]),
    first: reach(context, [at('app/screens/dashboard-desk.tsx')]),
  }
}

/**
 * What is there whenever a part of the product is there travels with it in one file, rather than in as many files as
 * there are ways to share it. Nothing that a page of the site needs is put with what only the product does.
 */
function nameOf(id: string, { entry, site, everyPage, signedIn, shells, first }: Reach): string | null {
  const inProduct = signedIn.has(id) || shells.has(id) || first.has(id)
  if (entry.has(id)) return 'base'
  if (id === OFFICE_SHELL) return null
  if (OFFICE_ROWS.test(id)) return 'office'
  if (PEOPLE.test(id)) return 'people'
  if (!inProduct) return null
  if (site.has(id)) return 'common'
  if (id.includes('/node_modules/zod/')) return 'zod'
  if (id.includes('/node_modules/@tanstack/')) return 'query'
  if (everyPage.has(id)) return null
  if (signedIn.has(id)) return 'signed-in'
  return shells.has(id) ? 'shells' : 'first'
}

let measured: Reach | undefined
export const chunks: Rolldown.CodeSplittingOptions = {
  // A name holds all that its modules import, or leaves it to a name that is there before: no file waits for itself.
  includeDependenciesRecursively: false,
  minShareCount: 2,
  groups: [
    {
      debugName: 'what is there before any screen',
      name: (id, context) => {
        measured ??= measure(context)
        const info = context.getModuleInfo(id)
        // What is only ever asked for by its name keeps a file of its own.
        return info?.isEntry || info?.importers.length === 0 ? null : nameOf(id, measured)
      },
    },
  ],
}

/** Whether all that a file holds is there before any screen of the back office. */
export const comesFirst = (ids: readonly string[]) =>
  ids.length > 0 && ids.every((id) => measured?.shells.has(id) || measured?.entry.has(id))
