import { useQueryClient } from '@tanstack/react-query'
import { type ProjectDetail, projects } from '@voisol/contract/projects'
import { explainError } from '../../lib/explain.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { buildUpdateBody, type ProjectUpdateBody } from './body.ts'

const DEPENDENT_QUERIES = [projects.list, projects.get]

export const createFailureHandler = (title: string) => (error: unknown) =>
  toast({ title, description: explainError(error), variant: 'destructive' })

/** Saves a change of a project that was read; the answer is shown at once. */
export function useSaveProject(project: ProjectDetail) {
  const client = useQueryClient()
  const update = useAction(projects.update, DEPENDENT_QUERIES)
  const save = (change: Partial<ProjectUpdateBody>) =>
    update.run({ params: { id: project.id }, body: buildUpdateBody(project, change) }).catch((error) => {
      // Somebody else may have changed it: what is shown next is what is stored now.
      void client.invalidateQueries({ queryKey: [projects.get.path] })
      throw error
    })
  return { save, saving: update.isPending }
}

export const useMoveProjectAction = () => useAction(projects.move, DEPENDENT_QUERIES)
export const useStudyProject = () => useAction(projects.study, DEPENDENT_QUERIES)
export const useAddProjectNote = () => useAction(projects.note, [projects.get])
export const useRemoveProject = () => useAction(projects.remove, [projects.list])
export const useCreateOperationOfProject = () => useAction(projects.createOperation, DEPENDENT_QUERIES)
