import { useQueryClient } from '@tanstack/react-query'
import { type ProjectDetail, projects } from '@voisol/contract/projects'
import { explain } from '../../lib/explain.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { type Update, updateBody } from './body.ts'

const SHOWN = [projects.list, projects.get]

export const failed = (title: string) => (error: unknown) =>
  toast({ title, description: explain(error), variant: 'destructive' })

/** Saves a change of a project that was read; the answer is shown at once. */
export function useSave(project: ProjectDetail) {
  const client = useQueryClient()
  const update = useAction(projects.update, SHOWN)
  const save = (change: Partial<Update>) =>
    update.run({ params: { id: project.id }, body: updateBody(project, change) }).catch((error) => {
      // Somebody else may have changed it: what is shown next is what is stored now.
      void client.invalidateQueries({ queryKey: [projects.get.path] })
      throw error
    })
  return { save, saving: update.isPending }
}

export const useMove = () => useAction(projects.move, SHOWN)
export const useStudy = () => useAction(projects.study, SHOWN)
export const useNote = () => useAction(projects.note, [projects.get])
export const useRemove = () => useAction(projects.remove, [projects.list])
export const useTurn = () => useAction(projects.createOperation, SHOWN)
