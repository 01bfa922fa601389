/** What a window checks before it sends a file; apart from the schemas, so that it can be read without them. */

/** Of one message. */
export const mostAttachments = 10;
/** Of one file; its base64 fits into one frame. */
export const mostAttachmentBytes = 10 * 1024 * 1024;
