import { allocations } from '@voisol/contract/allocations'
import Play from 'lucide-react/icons/play'
import { useState } from 'react'
import { only } from '../../../lib/can.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { StartForm, type StartProps } from './start-form.tsx'

export const StartDialog = only(allocations.start, (props: StartProps) => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="Lancer un calcul"
      description="Le calcul se poursuit même si vous quittez la page. Sur des données inchangées, le résultat déjà connu est repris."
      trigger={<Button icon={<Play aria-hidden="true" />}>Lancer un calcul</Button>}
    >
      <StartForm
        {...props}
        onStarted={(run) => {
          setOpen(false)
          props.onStarted(run)
        }}
      />
    </Dialog>
  )
})
