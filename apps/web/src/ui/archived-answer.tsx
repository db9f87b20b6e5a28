import { enedis } from '@voisol/contract/enedis'
import FileDown from 'lucide-react/icons/file-down'
import { download } from '../lib/call.ts'
import { withAccess } from '../lib/can.tsx'
import { explainError } from '../lib/explain.ts'
import { toast } from '../lib/toast.ts'
import { Button } from './button.tsx'

const downloadAnswer = (sha256: string) =>
  download(enedis.answer, { params: { sha256 } }).catch((error: unknown) =>
    toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
  )

/** What the distributor answered, as it came. */
export const ArchivedAnswerButton = withAccess(enedis.answer, ({ sha256 }: { sha256: string }) => (
  <Button
    variant="quiet"
    size="small"
    className="justify-self-start"
    icon={<FileDown aria-hidden="true" />}
    onClick={() => void downloadAnswer(sha256)}
  >
    Réponse archivée
  </Button>
))
