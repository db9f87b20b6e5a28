import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'
import { Tooltip } from './tooltip.tsx'

/** Where there is no room for its word, the word is the accessible name and the tooltip. */
export function IconButton({
  label,
  icon,
  className,
  type = 'button',
  ...rest
}: Omit<ComponentProps<'button'>, 'children' | 'aria-label'> & { label: string; icon: ReactNode }) {
  return (
    <Tooltip label={label}>
      <button
        {...rest}
        type={type}
        aria-label={label}
        className={cx(
          'inline-grid size-control shrink-0 place-items-center rounded-button text-ink-soft transition-colors duration-150',
          'hover:bg-ink/5 hover:text-ink disabled:cursor-not-allowed disabled:opacity-45 [&_.lucide]:size-[1.125rem]',
          className,
        )}
      >
        {icon}
      </button>
    </Tooltip>
  )
}
