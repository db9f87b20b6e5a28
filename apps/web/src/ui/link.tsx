import { type ComponentProps, useContext } from 'react'
import { Link as RouterLink } from 'react-router'
import { Doors } from '../lib/doors.ts'

/** A link to another screen; where its reader may not go, its words alone. */
export function Link({ to, className, children, ...rest }: ComponentProps<typeof RouterLink>) {
  const opens = useContext(Doors)
  if (typeof to === 'string' && !opens(to))
    return <span className={className?.replace(/\btext-link\b/, '')}>{children}</span>
  return (
    <RouterLink {...rest} to={to} className={className}>
      {children}
    </RouterLink>
  )
}
