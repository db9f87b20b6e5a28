import { useBrand } from '../lib/brand.ts'
import { PRODUCT } from '../lib/metadata.ts'
import { cx } from '../ui/cx.ts'
import { Logo } from '../ui/logo.tsx'

/** The company's own logo and name where it has given them. */
export function BrandMark({ small = false, className = 'size-7' }: { small?: boolean; className?: string }) {
  const brand = useBrand()
  const picture = brand?.customLogo || brand?.logoUrl
  return (
    <>
      {picture ? (
        <img
          src={picture}
          alt=""
          className={cx('shrink-0 object-contain', small ? className : 'h-8 w-auto max-w-32')}
        />
      ) : (
        <Logo className={cx('shrink-0', className)} />
      )}
      <span className={small ? 'sr-only' : 'truncate text-lg font-semibold tracking-tight'}>
        <bdi>{brand?.companyName || PRODUCT}</bdi>
      </span>
    </>
  )
}
