import { version } from '../../../package.json'
import { cx } from '../../components/cx.ts'
import { Logo } from '../../components/logo.tsx'
import { PRODUCT_NAME } from '../../lib/metadata.ts'
import { useBrand } from '../../lib/stores.ts'

/** The company's own logo and name where it has given them. */
export function BrandMark({ small = false, className = 'size-7' }: { small?: boolean; className?: string }) {
  const brand = useBrand()
  const logoUrl = brand?.customLogo || brand?.logoUrl
  return (
    <>
      {logoUrl ? (
        <img
          src={logoUrl}
          alt=""
          className={cx('shrink-0 object-contain', small ? className : 'h-8 w-auto max-w-32')}
        />
      ) : (
        <Logo className={cx('shrink-0', className)} />
      )}
      <span className={small ? 'sr-only' : 'truncate text-lg font-semibold tracking-tight'}>
        <bdi>{brand?.companyName || PRODUCT_NAME}</bdi>
      </span>
    </>
  )
}

const FIRST_YEAR = 2024

export const formatCopyright = (year: number) =>
  `© ${year > FIRST_YEAR ? `${FIRST_YEAR}–${year}` : FIRST_YEAR} ${PRODUCT_NAME}`

/** The commit that the pages were built from, where it is known: `vite.config.ts` writes it. */
export const formatVersion = (commit: string | undefined = import.meta.env.VOISOL_COMMIT) =>
  commit ? `Version ${version} (${commit})` : `Version ${version}`

/** The last line of every signed-in shell. */
export const VersionFooter = () => (
  <p className="flex flex-wrap gap-x-3 text-xs text-ink-muted tabular">
    <span>{formatVersion()}</span>
    <span>{formatCopyright(new Date().getFullYear())}</span>
  </p>
)
