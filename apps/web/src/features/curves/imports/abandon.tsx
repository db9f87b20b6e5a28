import { curves } from '@voisol/contract/curves'
import { useAction } from '../../../lib/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'

type Props = { id: string; name: string; small?: boolean; onDone?: () => void }

export function AbandonButton({ id, name, small = false, onDone }: Props) {
  const abandon = useAction(curves.abandon, [curves.imports, curves.getImport])
  return (
    <Confirm
      title="Abandonner cet import&nbsp;?"
      description={`«\u00a0${name}\u00a0» ne sera pas enregistré. Vous pourrez le déposer à nouveau.`}
      action="Abandonner l’import"
      onConfirm={async () => {
        await abandon.run({ params: { id } })
        onDone?.()
      }}
      trigger={
        <Button variant="quiet" size={small ? 'small' : 'medium'}>
          Abandonner
        </Button>
      }
    />
  )
}
