import type { ComponentProps } from 'react'
import { DialogButton } from '../dialogs/dialog-button.tsx'

export const SimulatorButton = (props: Omit<ComponentProps<typeof DialogButton>, 'opens'>) => (
  <DialogButton {...props} opens="simulator" />
)
