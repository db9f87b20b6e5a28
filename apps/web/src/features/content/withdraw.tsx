import { type ContentRecord, content } from '@voisol/contract/content'
import { useState } from 'react'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { UnpublishConfirm } from './unpublish.tsx'
import type { ContentEditorState } from './use-content.ts'

/** Off the site, without touching what is being written. */
export function UnpublishButton({ writing, record }: { writing: ContentEditorState; record: ContentRecord }) {
  const [asking, setAsking] = useState(false)
  const unpublish = useAction(content.unpublish, [content.list, content.versions])
  if (record.status !== 'published' && record.status !== 'scheduled') return null
  const run = async () => {
    const next = await unpublish
      .run({ params: { id: record.id }, body: { version: record.version } })
      .catch(writing.notice)
    writing.follow(next)
    toast({ title: record.status === 'published' ? 'Retiré du site' : 'Publication annulée', variant: 'success' })
  }
  return (
    <>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        {record.status === 'published' ? 'Retirer du site' : 'Annuler la publication'}
      </Button>
      <UnpublishConfirm row={record} open={asking} onClose={() => setAsking(false)} onConfirm={run} />
    </>
  )
}
