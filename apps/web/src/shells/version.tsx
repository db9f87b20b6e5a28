import { version } from '../../package.json'
import { PRODUCT_NAME } from '../lib/metadata.ts'

const FIRST_YEAR = 2024

export const formatCopyright = (year: number) =>
  `© ${year > FIRST_YEAR ? `${FIRST_YEAR}–${year}` : FIRST_YEAR} ${PRODUCT_NAME}`

/** The last line of every signed-in shell. */
export const VersionFooter = () => (
  <p className="flex flex-wrap gap-x-3 text-xs text-ink-muted tabular">
    <span>Version {version}</span>
    <span>{formatCopyright(new Date().getFullYear())}</span>
  </p>
)
