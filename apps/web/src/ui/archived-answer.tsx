import { enedis } from '@voisol/contract/enedis'
import FileDown from 'lucide-react/icons/file-down'
import { download } from '../lib/call.ts'
import { only } from '../lib/can.tsx'
import { explain } from '../lib/explain.ts'
import { toast } from '../lib/toast.ts'
import { Button } from './button.tsx'

const take = (sha256: string) =>
  download(enedis.answer, { params: { sha256 } }).catch((error: unknown) =>
    toast({ title: 'Téléchargement impossible', description: explain(error), variant: 'destructive' }),
  )

/** What the distributor answered, as it came. */
export const ArchivedAnswer = only(enedis.answer, ({ sha256 }: { sha256: string }) => (
  <Button
    variant="quiet"
    size="small"
    className="justify-self-start"
    icon={<FileDown aria-hidden="true" />}
    onClick={() => void take(sha256)}
  >
    Réponse archivée
  </Button>
))
