import type { ComponentProps } from 'react'
import { Link as RouterLink } from 'react-router'
import { useLinkAccess } from '../lib/link-access.ts'

/** A link to another screen, over the same days; where its reader may not go, its words alone. */
export function Link({ to, className, children, ...rest }: ComponentProps<typeof RouterLink>) {
  const { opens, carry } = useLinkAccess()
  if (typeof to === 'string' && !opens(to))
    return <span className={className?.replace(/\btext-link\b/, '')}>{children}</span>
  return (
    <RouterLink {...rest} to={typeof to === 'string' ? carry(to) : to} className={className}>
      {children}
    </RouterLink>
  )
}
