import type { ComponentProps } from 'react'
import { DialogButton } from '../dialogs/site-dialogs.tsx'

export const SimulatorButton = (props: Omit<ComponentProps<typeof DialogButton>, 'opens'>) => (
  <DialogButton {...props} opens="simulator" />
)
