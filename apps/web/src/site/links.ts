import { screens } from '../screens/table.ts'
import { paths } from './paths.ts'

const known = new Set<string>([...paths, ...screens.filter((screen) => !screen.dev).map(({ path }) => path)])

/** Whether an address of the site leads somewhere: what does not is not shown, so that no link is dead. */
export const exists = (href: string) => known.has(href.split(/[?#]/)[0] ?? '')

export const TRIAL = '/login?mode=register'
