import { version } from '../../package.json'
import { PRODUCT } from '../lib/metadata.ts'

const SINCE = 2024

export const copyright = (year: number) => `© ${year > SINCE ? `${SINCE}–${year}` : SINCE} ${PRODUCT}`

/** The last line of every signed-in shell. */
export const Version = () => (
  <p className="flex flex-wrap gap-x-3 text-xs text-ink-muted tabular">
    <span>Version {version}</span>
    <span>{copyright(new Date().getFullYear())}</span>
  </p>
)
