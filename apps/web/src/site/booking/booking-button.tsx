import type { ComponentProps } from 'react'
import { DialogButton } from '../dialogs/site-dialogs.tsx'

export const BookingButton = (props: Omit<ComponentProps<typeof DialogButton>, 'opens'>) => (
  <DialogButton {...props} opens="booking" />
)
