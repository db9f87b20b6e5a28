import { type Operation, type OperationOverview, type OperationStatus, operations } from '@voisol/contract/operations'
import Pencil from 'lucide-react/icons/pencil'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { z } from 'zod'
import { withAccess } from '../../../lib/can.tsx'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { EditOperationDialog } from './edit-dialog.tsx'
import { StatusChangeDialog } from './move-dialog.tsx'
import { STATUS_CHANGES } from './moves.ts'

type ActionsProps = { operation: Operation; overview: z.output<typeof OperationOverview> | undefined }

function RemoveDraft({ operation }: { operation: Operation }) {
  const navigate = useNavigate()
  const remove = useAction(operations.remove, [operations.list])
  return (
    <Confirm
      title="Supprimer ce brouillon"
      description={`«\u00a0${operation.name}\u00a0» et ses clés seront supprimées. Les personnes et leurs points restent. Cela ne peut pas être annulé.`}
      action="Supprimer le brouillon"
      onConfirm={async () => {
        await remove.run({ params: { id: operation.id } })
        toast({ title: 'Brouillon supprimé', variant: 'success' })
        await navigate('/acc-operations')
      }}
      trigger={
        <Button variant="secondary" icon={<Trash2 aria-hidden="true" />}>
          Supprimer
        </Button>
      }
    />
  )
}

/** Edit, change of state, and the end of a draft. */
export const OperationActions = withAccess(operations.update, ({ operation, overview }: ActionsProps) => {
  const [to, setTo] = useState<OperationStatus>()
  const [editing, setEditing] = useState(false)
  return (
    <>
      {operation.status === 'draft' && <RemoveDraft operation={operation} />}
      <Button variant="secondary" icon={<Pencil aria-hidden="true" />} onClick={() => setEditing(true)}>
        Modifier
      </Button>
      {overview && overview.transitions.length > 0 && (
        <Menu trigger={<Button icon={<RefreshCw aria-hidden="true" />}>Changer l’état</Button>}>
          {overview.transitions.map((status) => (
            <MenuItem key={status} tone={status === 'closed' ? 'danger' : 'neutral'} onSelect={() => setTo(status)}>
              {STATUS_CHANGES[status].action}
            </MenuItem>
          ))}
        </Menu>
      )}
      {to && overview && (
        <StatusChangeDialog operation={operation} overview={overview} to={to} onClose={() => setTo(undefined)} />
      )}
      {editing && <EditOperationDialog operation={operation} onClose={() => setEditing(false)} />}
    </>
  )
})
