import { allocations } from '@voisol/contract/allocations'
import Play from 'lucide-react/icons/play'
import { useState } from 'react'
import { withAccess } from '../../../lib/can.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { StartRunForm, type StartRunProps } from './start-form.tsx'

export const StartRunDialog = withAccess(allocations.start, (props: StartRunProps) => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="Lancer un calcul"
      description="Le calcul se poursuit même si vous quittez la page. Sur des données inchangées, le résultat déjà connu est repris."
      trigger={<Button icon={<Play aria-hidden="true" />}>Lancer un calcul</Button>}
    >
      <StartRunForm
        {...props}
        onStarted={(run) => {
          setOpen(false)
          props.onStarted(run)
        }}
      />
    </Dialog>
  )
})
