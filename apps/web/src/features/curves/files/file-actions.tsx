import { type DistributorFile, distributorFiles } from '@voisol/contract/distributor-files'
import { download } from '../../../lib/call.ts'
import { withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/explain.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'

const showFailure = (title: string) => (error: unknown) =>
  toast({ title, description: explainError(error), variant: 'destructive' })

const ForgetButton = withAccess(distributorFiles.forget, ({ id, name }: Pick<DistributorFile, 'id' | 'name'>) => {
  const forget = useAction(distributorFiles.forget, [distributorFiles.list])
  return (
    <Confirm
      title="Retirer ce fichier&nbsp;?"
      description={`«\u00a0${name}\u00a0» sera effacé. Rien n’en avait été enregistré\u00a0; vous pourrez le déposer à nouveau.`}
      action="Retirer le fichier"
      onConfirm={() => forget.run({ params: { id } })}
      trigger={
        <Button variant="quiet" size="small">
          Retirer
        </Button>
      }
    />
  )
})

const RetryButton = withAccess(distributorFiles.retry, ({ id }: Pick<DistributorFile, 'id'>) => {
  const retry = useAction(distributorFiles.retry, [distributorFiles.list])
  return (
    <Button
      variant="secondary"
      size="small"
      loading={retry.isPending}
      onClick={() => retry.run({ params: { id } }).catch(showFailure('Lecture impossible'))}
    >
      Relire
    </Button>
  )
})

/** A file can always be taken back; one that was set aside can be read again, or removed. */
export function FileActions({ file: { id, name, status } }: { file: DistributorFile }) {
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        onClick={() =>
          download(distributorFiles.download, { params: { id } }).catch(showFailure('Téléchargement impossible'))
        }
      >
        Télécharger
      </Button>
      {status === 'quarantined' && (
        <>
          <RetryButton id={id} />
          <ForgetButton id={id} name={name} />
        </>
      )}
    </>
  )
}
