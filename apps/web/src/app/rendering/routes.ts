import { createStaticHandler, matchPath } from 'react-router'
import { descriptions } from '../../site/descriptions.ts'
import { pages } from '../../site/pages.ts'
import { createRoutes } from '../routes.tsx'
import { getScreens } from '../screens/table.ts'
import type { Screen } from '../screens/types.ts'

/** The routes are the same for every request: they are made once. */
export const staticHandler = createStaticHandler(createRoutes(descriptions))

/** A company is a number: a word in its place names nothing. */
const matchesScreen = (row: Screen, path: string) => {
  const match = matchPath<string>(row.path, path)
  return match !== null && /^\d*$/.test(match.params.companyId ?? '')
}

export const findScreenAt = (path: string, development: boolean): Screen | undefined =>
  getScreens(development).find((row) => matchesScreen(row, path))

const getFirstSegment = (path: string) => path.split('/')[1]

/** Under an address of the product, and none of its screens: whoever asks for it is at work there, not on the site. */
export const isUnknownProductPath = (path: string) =>
  getScreens(false).some((row) => row.role !== 'public' && getFirstSegment(row.path) === getFirstSegment(path))

/** The module of the page at this address, by the name its import was given when it was built. */
export function findModuleAt(path: string): string | undefined {
  const load = pages.find((row) => matchPath(row.path, path))?.page
  return load && 'module' in load && typeof load.module === 'string' ? load.module : undefined
}
