import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import { useLinkAccess } from '../lib/link-access.ts'
import { cx } from './cx.ts'
import { Spinner } from './loading.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'
type ButtonStyle = { variant?: ButtonVariant; size?: 'small' | 'medium' | 'large'; icon?: ReactNode }

const variantClasses: Record<ButtonVariant, string> = {
  primary: 'bg-primary-solid text-on-primary-solid hover:bg-primary-solid-hover',
  secondary: 'border border-line-strong bg-card text-ink hover:border-control hover:bg-page',
  quiet: 'text-ink-soft hover:bg-ink/5 hover:text-ink',
  danger: 'bg-danger text-white hover:bg-danger-hover',
}
const sizeClasses = {
  small: 'min-h-8 px-3 text-[0.8125rem]',
  medium: 'min-h-control px-4 text-body',
  large: 'min-h-12 px-6 text-base',
}

export const getButtonClass = ({ variant = 'primary', size = 'medium' }: ButtonStyle) =>
  cx(
    'inline-flex items-center justify-center gap-2 rounded-button py-1 text-center font-medium no-underline',
    'transition-colors duration-150 disabled:cursor-not-allowed disabled:opacity-55',
    '[&_.lucide]:size-4',
    variantClasses[variant],
    sizeClasses[size],
  )

/** A button is named by its consequence; while it works it keeps its name and cannot be pressed twice. */
export function Button({
  variant,
  size,
  icon,
  loading = false,
  disabled,
  className,
  children,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & ButtonStyle & { loading?: boolean }) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled || loading}
      aria-busy={loading || undefined}
      className={cx(getButtonClass({ variant, size }), className)}
    >
      {loading ? <Spinner className="size-4" /> : icon}
      {children}
    </button>
  )
}

/** The same look for something that leads elsewhere; where its reader may not go, it is not there. */
export function ButtonLink({
  variant,
  size,
  icon,
  className,
  children,
  to,
  ...rest
}: ComponentProps<typeof Link> & ButtonStyle) {
  const { opens, carry } = useLinkAccess()
  if (typeof to === 'string' && !opens(to)) return null
  return (
    <Link
      {...rest}
      to={typeof to === 'string' ? carry(to) : to}
      className={cx(getButtonClass({ variant, size }), className)}
    >
      {icon}
      {children}
    </Link>
  )
}
