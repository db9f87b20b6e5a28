import { expect, test } from 'vitest'
import { getNextStep } from './import-queue.tsx'

test('each file of several says what it waits for', () => {
  const item = (status: Parameters<typeof getNextStep>[0]['status'], questions: number, message = '') =>
    getNextStep({ status, message, asked: { questions: Array(questions).fill({}) } })
  expect(item('reading', 0)).toEqual({ words: 'Lecture en cours…', action: 'Voir' })
  expect(item('ready', 2)).toEqual({ words: '2\u00a0questions avant de pouvoir l’enregistrer', action: 'Répondre' })
  expect(item('ready', 0).action).toBe('Vérifier')
  expect(item('refused', 0, 'Format inconnu.')).toEqual({ words: 'Format inconnu.', action: 'Voir' })
})
