import { createStaticHandler, matchPath } from 'react-router'
import { createRoutes } from '../routes.tsx'
import { screensFor } from '../screens/table.ts'
import type { Screen } from '../screens/types.ts'
import { descriptions } from '../site/descriptions.ts'
import { pages } from '../site/pages.ts'

/** The routes are the same for every request: they are made once. */
export const handler = createStaticHandler(createRoutes(descriptions))

/** A company is a number: a word in its place names nothing. */
const leadsTo = (row: Screen, path: string) => {
  const match = matchPath<string>(row.path, path)
  return match !== null && /^\d*$/.test(match.params.companyId ?? '')
}

export const screenAt = (path: string, development: boolean): Screen | undefined =>
  screensFor(development).find((row) => leadsTo(row, path))

const firstPart = (path: string) => path.split('/')[1]

/** Under an address of the product, and none of its screens: whoever asks for it is at work there, not on the site. */
export const isLost = (path: string) =>
  screensFor(false).some((row) => row.role !== 'public' && firstPart(row.path) === firstPart(path))

/** The module of the page at this address, by the name its import was given when it was built. */
export function moduleAt(path: string): string | undefined {
  const load = pages.find((row) => matchPath(row.path, path))?.page
  return load && 'module' in load && typeof load.module === 'string' ? load.module : undefined
}
