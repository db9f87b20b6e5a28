import type { ComponentProps } from 'react'
import { DialogButton } from '../dialogs/dialog-button.tsx'

export const BookingButton = (props: Omit<ComponentProps<typeof DialogButton>, 'opens'>) => (
  <DialogButton {...props} opens="booking" />
)
