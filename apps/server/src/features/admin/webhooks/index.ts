export { addWebhookDelivery, buildMessageBody } from './webhook-message.ts'
export { createWebhook, rotateSecret, setWebhookStatus } from './webhooks.ts'
