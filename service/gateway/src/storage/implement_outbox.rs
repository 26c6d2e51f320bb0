//! The methods of [`Outbox`](super::Outbox), for both databases.

/// Implements `Outbox` for a struct with `keys`, `pool`, `writer`, and `DIALECT`.
macro_rules! implement_outbox {
    ($storage:ty) => {
        #[async_trait]
        impl Outbox for $storage {
            async fn claim(
                &self,
                claim: Claim<'_>,
                lease: Duration,
            ) -> Result<Vec<Event>, StorageError> {
                let statement = Self::DIALECT.render(sql::CLAIM);
                let merchants = serde_json::Value::from(claim.merchants).to_string();
                let query = sqlx::query_as(statement)
                    .bind(claim.limit)
                    .bind(span(lease))
                    .bind(merchants)
                    .bind(claim.only);
                let rows: Vec<(String, String, String, String, i64)> =
                    query.fetch_all(&self.writer).await?;
                let event = |(id, merchant, url, body, attempt)| Event {
                    id,
                    merchant,
                    url,
                    body,
                    attempt,
                };
                Ok(rows.into_iter().map(event).collect())
            }

            async fn delivered(&self, id: &str) -> Result<(), StorageError> {
                sqlx::query(sql::DELIVERED)
                    .bind(id)
                    .execute(&self.writer)
                    .await?;
                Ok(())
            }

            async fn failed(
                &self,
                event: &Event,
                failure: &str,
                pause: Option<Duration>,
            ) -> Result<(), StorageError> {
                match pause {
                    Some(pause) => {
                        let statement = Self::DIALECT.render(sql::RETRY);
                        let query = sqlx::query(statement)
                            .bind(&event.id)
                            .bind(event.attempt)
                            .bind(span(pause));
                        query.bind(failure).execute(&self.writer).await?;
                    }
                    None => {
                        let query = sqlx::query(sql::ABANDON)
                            .bind(&event.id)
                            .bind(event.attempt)
                            .bind(failure);
                        query.execute(&self.writer).await?;
                    }
                }
                Ok(())
            }

            async fn pending(&self) -> Result<i64, StorageError> {
                Ok(sqlx::query_scalar(sql::PENDING)
                    .fetch_one(&self.pool)
                    .await?)
            }

            async fn pending_of(&self, merchant: &str, limit: i64) -> Result<i64, StorageError> {
                let query = sqlx::query_scalar(sql::PENDING_OF)
                    .bind(merchant)
                    .bind(limit);
                Ok(query.fetch_one(&self.pool).await?)
            }

            async fn secrets(
                &self,
                merchant: &str,
            ) -> Result<Vec<Zeroizing<String>>, StorageError> {
                let statement = Self::DIALECT.render(sql::SECRETS);
                let row: Option<(String, Option<String>)> = sqlx::query_as(statement)
                    .bind(merchant)
                    .fetch_optional(&self.pool)
                    .await?;
                let stored = row
                    .into_iter()
                    .flat_map(|(secret, previous)| std::iter::once(secret).chain(previous));
                Ok(stored
                    .map(|stored| self.keys.decrypt(merchant, &stored))
                    .collect::<Result<_, _>>()?)
            }
        }
    };
}

pub(super) use implement_outbox;
