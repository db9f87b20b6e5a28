import { type SyncTask, sync } from '@voisol/contract/sync'
import type { ReactElement } from 'react'
import { useState } from 'react'
import { withAccess } from '../../lib/can.tsx'
import { Dialog } from '../dialog.tsx'
import { DataRequestForm } from './request-form.tsx'

type DataRequestDialogProps = {
  /** The operation it is opened from; without one, the form asks. */
  operationId?: string
  /** The operation the form begins with, when it asks. */
  suggested?: string
  trigger?: ReactElement<object>
  open?: boolean
  onOpenChange?: (open: boolean) => void
  onStarted: (task: SyncTask) => void
}

/** Asks the distributor for data: what, of which points, over which days, and what it will cost in calls. */
export const DataRequestDialog = withAccess(
  sync.start,
  ({ trigger, open, onOpenChange, onStarted, ...form }: DataRequestDialogProps) => {
    const [ownOpen, setOwnOpen] = useState(false)
    const change = (next: boolean) => {
      setOwnOpen(next)
      onOpenChange?.(next)
    }
    return (
      <Dialog
        open={open ?? ownOpen}
        onOpenChange={change}
        trigger={trigger}
        title="Demander des données"
        description="La demande se poursuit même si vous quittez la page. Ce qui est déjà là n’est pas enregistré deux fois."
      >
        <DataRequestForm
          {...form}
          onStarted={(task) => {
            change(false)
            onStarted(task)
          }}
        />
      </Dialog>
    )
  },
)
