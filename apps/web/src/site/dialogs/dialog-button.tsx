import type { ComponentProps } from 'react'
import { Button } from '../../ui/button.tsx'
import { openDialog, type SiteDialog } from './store.ts'

type DialogButtonProps = Pick<ComponentProps<typeof Button>, 'variant' | 'size' | 'icon' | 'className'> & {
  opens: SiteDialog
  label: string
}

export const DialogButton = ({ opens, label, size = 'large', ...look }: DialogButtonProps) => (
  <Button {...look} size={size} aria-haspopup="dialog" onClick={() => openDialog(opens)}>
    {label}
  </Button>
)
