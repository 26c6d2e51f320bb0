//! The methods of [`Payments`](super::Payments), for both databases.
//!
//! The databases differ in their SQL (`Dialect`) and in how a transaction begins, and the types of
//! sqlx for them differ in name only. Generics would need a page of bounds; a macro does not.

use bigdecimal::BigDecimal;

use super::time::instant;
use super::types::{Lookup, Record, StorageError};

/// Reads a stored decimal number.
pub(super) fn decimal(text: &str) -> Result<BigDecimal, StorageError> {
    text.parse()
        .map_err(|_| StorageError::Row("a decimal number"))
}

/// A row of [`LOOK_UP`](super::sql::LOOK_UP).
pub(super) type LookupRow = (i64, i64, Option<i64>, Option<String>, Option<String>);

/// A row of [`LOOK_UP_BY_TOKEN`](super::sql::LOOK_UP_BY_TOKEN): the id and the merchant of the
/// token, and the row above.
pub(super) type RecordRow = (
    Option<String>,
    Option<String>,
    i64,
    i64,
    Option<i64>,
    Option<String>,
    Option<String>,
);
/// A row of [`PAYMENT_BY_TOKEN`](super::sql::PAYMENT_BY_TOKEN): the id and the merchant of the
/// token, and the body of the payment.
pub(super) type PaymentRow = (Option<String>, Option<String>, Option<String>);

/// Returns the record of a row of `LOOK_UP`. Its age is by the steady clock.
pub(super) fn lookup(row: LookupRow) -> Result<Lookup, StorageError> {
    let (now, steady, created_at, fingerprint, payment) = row;
    let record = match (created_at, fingerprint, payment) {
        (Some(created_at), Some(fingerprint), Some(payment)) => {
            let age = steady.saturating_sub(created_at);
            Some(Record {
                created_at: instant(now.saturating_sub(age))?,
                fingerprint,
                payment,
            })
        }
        _ => None,
    };
    Ok(Lookup {
        now: instant(now)?,
        steady,
        record,
    })
}

/// Implements `Payments` for a struct with `pool`, `writer`, `DIALECT`, `BEGIN`, `check_space`,
/// `store`, `find_record`, `find_payment`, and the methods of `implement_audit!`.
macro_rules! implement_payments {
    ($storage:ty, $connection:ty) => {
        impl $storage {
            /// Adds the difference of two bookings to the balance, in the transaction of the
            /// connection.
            async fn add_to_balance(
                connection: &mut $connection,
                merchant: &str,
                booked: &BigDecimal,
                booking: &Booking,
            ) -> Result<(), StorageError> {
                let difference = &booking.amount - booked;
                if difference == BigDecimal::default() {
                    return Ok(());
                }
                let currency = booking.currency.as_str();
                sqlx::query(sql::ADD_BALANCE)
                    .bind(merchant)
                    .bind(currency)
                    .execute(&mut *connection)
                    .await?;
                let select = Self::DIALECT.render(sql::BALANCE);
                let select = sqlx::query_scalar(select).bind(merchant).bind(currency);
                let amount: String = select.fetch_one(&mut *connection).await?;
                let amount = (decimal(&amount)? + difference).to_plain_string();
                let set = sqlx::query(sql::SET_BALANCE)
                    .bind(merchant)
                    .bind(currency)
                    .bind(amount);
                set.execute(&mut *connection).await?;
                Ok(())
            }
        }

        #[async_trait]
        impl Payments for $storage {
            async fn now(&self) -> Result<Timestamp, StorageError> {
                let statement = Self::DIALECT.render(sql::NOW);
                instant(sqlx::query_scalar(statement).fetch_one(&self.pool).await?)
            }

            async fn token_owner(&self, hash: &str) -> Result<Option<TokenOwner>, StorageError> {
                self.owner_of_token(TokenKind::Merchant, hash).await
            }

            async fn look_up(
                &self,
                merchant: &str,
                key: Option<&str>,
            ) -> Result<Lookup, StorageError> {
                let statement = Self::DIALECT.render(sql::LOOK_UP);
                let row = sqlx::query_as(statement)
                    .bind(merchant)
                    .bind(key)
                    .fetch_one(&self.pool)
                    .await?;
                lookup(row)
            }

            async fn look_up_by_token(
                &self,
                hash: &str,
                key: Option<&str>,
            ) -> Result<(Option<TokenOwner>, Lookup), StorageError> {
                let row = self.find_record(hash, key).await?;
                let (id, name, now, steady, created_at, fingerprint, payment) = row;
                let owner = id.zip(name).map(|(id, name)| TokenOwner { id, name });
                Ok((
                    owner,
                    lookup((now, steady, created_at, fingerprint, payment))?,
                ))
            }

            async fn create(&self, new: NewPayment<'_>) -> Result<Created, StorageError> {
                self.check_space()?;
                self.store(new).await
            }

            async fn payment(&self, uid: &str) -> Result<Option<StoredPayment>, StorageError> {
                let row: Option<(String, String, Option<String>, i64, String)> =
                    sqlx::query_as(sql::PAYMENT)
                        .bind(uid)
                        .fetch_optional(&self.pool)
                        .await?;
                let payment =
                    |(merchant, body, callback, version, booked): (_, _, _, _, String)| {
                        Ok(StoredPayment {
                            merchant,
                            body,
                            callback,
                            version,
                            booked: decimal(&booked)?,
                        })
                    };
                row.map(payment).transpose()
            }

            async fn payment_by_token(
                &self,
                hash: &str,
                uid: Option<&str>,
            ) -> Result<Option<(TokenOwner, Option<String>)>, StorageError> {
                let (id, name, body) = self.find_payment(hash, uid).await?;
                Ok(id
                    .zip(name)
                    .map(|(id, name)| (TokenOwner { id, name }, body)))
            }

            async fn apply(&self, change: StateChange<'_>) -> Result<bool, StorageError> {
                let (update, add) = (
                    Self::DIALECT.render(sql::APPLY),
                    Self::DIALECT.render(sql::ADD_EVENT),
                );
                let mut writer = Writer::acquire(&self.writer).await?;
                let mut transaction = writer.begin_with(Self::BEGIN).await?;
                let updated = sqlx::query(update)
                    .bind(change.uid)
                    .bind(change.version)
                    .bind(change.body)
                    .bind(change.state)
                    .bind(change.booked.to_plain_string())
                    .bind(change.booking.amount.to_plain_string())
                    .execute(&mut *transaction)
                    .await?;
                if updated.rows_affected() == 0 {
                    transaction.rollback().await?;
                    writer.release();
                    return Ok(false);
                }
                Self::add_to_balance(
                    &mut transaction,
                    change.merchant,
                    change.booked,
                    change.booking,
                )
                .await?;
                if let Some((id, url)) = change.event {
                    sqlx::query(add)
                        .bind(id)
                        .bind(change.uid)
                        .bind(change.merchant)
                        .bind(url)
                        .bind(change.body)
                        .execute(&mut *transaction)
                        .await?;
                }
                if let Some(audit) = &change.audit {
                    Self::record(&mut transaction, audit).await?;
                }
                transaction.commit().await?;
                writer.release();
                Ok(true)
            }

            async fn balances(&self, merchant: &str) -> Result<Vec<Balance>, StorageError> {
                let rows: Vec<(String, String)> = sqlx::query_as(sql::BALANCES)
                    .bind(merchant)
                    .fetch_all(&self.pool)
                    .await?;
                let balance = |(currency, amount): (_, String)| {
                    Ok(Balance {
                        currency,
                        amount: decimal(&amount)?,
                    })
                };
                rows.into_iter().map(balance).collect()
            }

            async fn merchant_ids(&self, merchant: &str) -> Result<Vec<String>, StorageError> {
                Ok(sqlx::query_scalar(sql::MERCHANT_IDS)
                    .bind(merchant)
                    .fetch_all(&self.pool)
                    .await?)
            }

            async fn profile(&self, merchant: &str) -> Result<MerchantProfile, StorageError> {
                let name = sqlx::query_scalar(sql::MERCHANT_NAME)
                    .bind(merchant)
                    .fetch_optional(&self.pool)
                    .await?;
                let origins = sqlx::query_scalar(sql::ORIGINS)
                    .bind(merchant)
                    .fetch_all(&self.pool)
                    .await?;
                Ok(MerchantProfile {
                    name: name.unwrap_or_else(|| merchant.to_owned()),
                    origins,
                })
            }

            async fn add_session(
                &self,
                session: &CheckoutSession,
                time: Duration,
            ) -> Result<Option<CheckoutSession>, StorageError> {
                self.check_space()?;
                let statement = Self::DIALECT.render(sql::ADD_SESSION);
                let query = sqlx::query_scalar(statement)
                    .bind(&session.id)
                    .bind(&session.merchant);
                let query = query
                    .bind(&session.order_id)
                    .bind(&session.amount)
                    .bind(&session.currency);
                let query = query.bind(&session.redirect_url).bind(session.bytes());
                let mut writer = Writer::acquire(&self.writer).await?;
                let id: Option<String> =
                    query.bind(span(time)).fetch_optional(&mut *writer).await?;
                writer.release();
                Ok(id.map(|id| CheckoutSession {
                    id,
                    ..session.clone()
                }))
            }

            async fn session(&self, id: &str) -> Result<Option<CheckoutSession>, StorageError> {
                type Row = (String, String, String, String, Option<String>, bool, bool);
                let statement = Self::DIALECT.render(sql::SESSION);
                let row: Option<Row> = sqlx::query_as(statement)
                    .bind(id)
                    .fetch_optional(&self.pool)
                    .await?;
                let session = |(
                    merchant,
                    order_id,
                    amount,
                    currency,
                    redirect_url,
                    is_open,
                    is_merchant_active,
                )| CheckoutSession {
                    id: id.to_owned(),
                    merchant,
                    order_id,
                    amount,
                    currency,
                    redirect_url,
                    is_open,
                    is_merchant_active,
                };
                Ok(row.map(session))
            }

            async fn close_session(&self, id: &str) -> Result<(), StorageError> {
                let statement = Self::DIALECT.render(sql::CLOSE_SESSION);
                sqlx::query(statement)
                    .bind(id)
                    .execute(&self.writer)
                    .await?;
                Ok(())
            }
        }
    };
}

pub(super) use implement_payments;
