import { useBrand } from '../lib/brand.ts'
import { PRODUCT_NAME } from '../lib/metadata.ts'
import { cx } from '../ui/cx.ts'
import { Logo } from '../ui/logo.tsx'

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
